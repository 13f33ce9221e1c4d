/** Numbers, colours and paths as PDF writes them. */
import { ARGUMENTS, C, L, M, type Path, Q, Z } from './drawing.ts';

const colours = new Map<string, string>();
/** A colour as three numbers with three decimals. */
export function rgb(colour: string): string {
  let text = colours.get(colour);
  if (!text) {
    text = [1, 3, 5]
      .map((i) => {
        const value = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
        return value === 0 ? '0' : value === 1 ? '1' : value.toFixed(3).slice(1).replace(/0+$/, '');
      })
      .join(' ');
    colours.set(colour, text);
  }
  return text;
}

/** A number with at most three decimals. */
export function short(n: number): string {
  return Number.isInteger(n) ? String(n) : String(Math.round(n * 1000) / 1000);
}

function divided(path: Path, grain: number): Path {
  const out: Path = [];
  for (let i = 0; i < path.length; ) {
    const code = path[i++]!;
    out.push(code);
    for (let k = ARGUMENTS[code as 0]; k > 0; k--) out.push(path[i++]! / grain);
  }
  return out;
}

/** Path operators; coordinates divided by the grain, which all of them are multiples of. */
export function pathText(raw: Path, grain = 1): string {
  let out = '';
  const path = grain === 1 ? raw : divided(raw, grain);
  let x = 0;
  let y = 0;
  if (path.length === 13 && path[0] === M && path[12] === Z && path[3] === L && path[6] === L && path[9] === L) {
    const [, left, top, , right, top2, , right2, bottom, , left2, bottom2] = path as Required<Path>;
    if (top === top2 && right === right2 && bottom === bottom2 && left === left2)
      return `${left} ${top} ${right! - left!} ${bottom! - top!} re\n`;
  }
  for (let i = 0; i < path.length; ) {
    const code = path[i++];
    if (code === M || code === L) {
      x = path[i++]!;
      y = path[i++]!;
      out += `${x} ${y} ${code === M ? 'm' : 'l'}\n`;
    } else if (code === Q) {
      const cx = path[i++]!;
      const cy = path[i++]!;
      const ax = Math.round((x + 2 * cx) / 3);
      const ay = Math.round((y + 2 * cy) / 3);
      x = path[i++]!;
      y = path[i++]!;
      out += `${ax} ${ay} ${Math.round((x + 2 * cx) / 3)} ${Math.round((y + 2 * cy) / 3)} ${x} ${y} c\n`;
    } else if (code === C) {
      // A first handle on the start point needs no writing.
      const head = path[i] === x && path[i + 1] === y ? '' : `${path[i]} ${path[i + 1]} `;
      out += `${head}${path[i + 2]} ${path[i + 3]} ${path[i + 4]} ${path[i + 5]} ${head === '' ? 'v' : 'c'}\n`;
      x = path[i + 4]!;
      y = path[i + 5]!;
      i += 6;
    } else out += 'h\n';
  }
  return out;
}
