/**
 * What the transport form of plain text did to lines, undone: PGP clear-signing and format=flowed.
 */

/** Takes the frame of a clear-signed text off: armour header, signature and dash escapes. Other lines stay as they are. */
export function undoClearSigning(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex((line) => line.startsWith('-----BEGIN PGP SIGNED MESSAGE-----'));
  if (begin < 0) return lines;
  const out = lines.slice(0, begin);
  let state: 'armour header' | 'text' | 'signature' | 'after' = 'armour header';
  for (const line of lines.slice(begin + 1)) {
    if (state === 'armour header') {
      if (line.trim() === '') state = 'text';
      else if (!/^[A-Za-z-]{1,40}: /.test(line)) {
        state = 'text';
        out.push(undash(line));
      }
    } else if (state === 'text') {
      if (line.startsWith('-----BEGIN PGP SIGNATURE-----')) state = 'signature';
      else out.push(undash(line));
    } else if (state === 'signature') {
      if (line.startsWith('-----END PGP SIGNATURE-----')) state = 'after';
    } else out.push(line);
  }
  return out;
}

function undash(line: string): string {
  return line.startsWith('- ') ? line.slice(2) : line;
}

/**
 * Undoes RFC 3676: joins flowed lines of the same quote depth, takes space-stuffing off, keeps `-- ` alone. A line that
 * `opens` an order always starts anew. A quoted line comes out with one `>` for each level of quoting.
 */
export function unflow(lines: readonly string[], delSp: boolean, opens: (line: string) => boolean): string[] {
  const out: string[] = [];
  let pieces: string[] = [];
  let depth = 0;
  let open = false;
  const close = (): void => {
    if (pieces.length > 0) out.push(`${'>'.repeat(depth)}${depth > 0 ? ' ' : ''}${pieces.join('')}`);
    pieces = [];
    open = false;
  };
  for (const line of lines) {
    let level = 0;
    while (line.charCodeAt(level) === 0x3e) level++;
    let text = line.slice(level);
    if (text.startsWith(' ')) text = text.slice(1);
    const dashes = text === '-- ';
    if (!open || level !== depth || dashes || (level === 0 && opens(text))) close();
    depth = level;
    open = !dashes && text.endsWith(' ');
    pieces.push(open && delSp ? text.slice(0, -1) : text);
    if (!open) close();
  }
  close();
  return out;
}
