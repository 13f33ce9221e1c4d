/** How a verb gets at the store of the running club, if it needs it at all. */
import type { Service } from '../turn/context.ts';

interface Connection {
  service: Service;
  close(): Promise<void>;
}

/** Opens the store as the environment says; called only by verbs that need it. */
export type Connect = () => Promise<Connection>;

/** Runs some work with the store open, and closes it whatever happens. */
export async function withStore<T>(connect: Connect, work: (service: Service) => Promise<T>): Promise<T> {
  const { service, close } = await connect();
  try {
    return await work(service);
  } finally {
    await close();
  }
}
