/** Carrying capacity, getting in and out (6.6, 6.1-crew). */
import { type Book, placeOf } from '../content/opened.ts';
import { abilitiesOf, classOf, counterOf, faceOf, isVehicle, passengersOf, squaresOf } from '../counters/units.ts';
import { never, type Refusal, refuse } from '../refusal.ts';
import type { Known, NormandieUnit } from '../types.ts';
import { passageRefusal } from './steps.ts';

/** What a unit takes up: 1 with the Transport symbol in view or as a Character, else 2; crew nothing (6.6-transport-a, 6.1-crew-c). */
export function loadOf(book: Book, known: Known, unit: NormandieUnit): number {
  const face = faceOf(book, known, unit);
  const found = counterOf(book, known, unit);
  if (!face || !found) return 2;
  if ('crew' in face.abilities) return 0;
  return found.counter.character || 'transport-symbol' in face.abilities ? 1 : 2;
}

/** Why a unit may not board a vehicle from where it stands. */
export function canBoard(book: Book, known: Known, unit: NormandieUnit, vehicle: NormandieUnit): Refusal | undefined {
  const params = { unit: unit.code, vehicle: vehicle.code };
  if (classOf(book, unit) !== 'inf' || !isVehicle(book, vehicle) || vehicle.side !== unit.side)
    return never('NO TRANSPORT', '6.6-transport-a', params);
  const abilities = abilitiesOf(book, known, vehicle);
  const crew = 'crew' in abilitiesOf(book, known, unit);
  if (!crew && !('transport' in abilities)) return never('NO TRANSPORT', '6.6-transport-a', params);
  const aboard = passengersOf(known.table, vehicle.code);
  if (crew && !('transport' in abilities) && aboard.length > 0) return refuse('ONE CREW', '6.1-crew-d', params);
  const load = aboard.reduce((sum, each) => sum + loadOf(book, known, each), loadOf(book, known, unit));
  const room = abilities.transport ?? 0;
  if (!crew && load > room) return refuse('TRANSPORT FULL', '6.6-transport-a', { ...params, load, room });
  const oversize = (each: NormandieUnit): boolean => counterOf(book, known, each)?.counter.oversize ?? false;
  if (oversize(unit) && aboard.some(oversize)) return refuse('SECOND GUN', '6.6-transport-b', params);
  if (unit.aboard === null && !besideVehicle(book, known, unit.at, vehicle))
    return refuse('NOT BESIDE THE VEHICLE', '6.6-transport-c', params);
  return undefined;
}

/** Is a place beside one of the vehicle's squares, with free passage for infantry? */
function besideVehicle(book: Book, known: Known, name: string, vehicle: NormandieUnit): boolean {
  return squaresOf(vehicle).some((square) => {
    const refusal = passageRefusal(book, known.table, placeOf(book, name), placeOf(book, square), 'inf');
    return refusal === undefined;
  });
}
