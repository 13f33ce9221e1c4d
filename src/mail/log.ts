/** Where the doors of the post office write what happens, in the form of pino. No address of a player, no text of a mail. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
