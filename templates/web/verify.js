// Checks the dice of a phase in the reader's own browser, from the key printed on the page: nothing is asked of the server.
(() => {
  const table = document.getElementById('dice');
  const button = document.getElementById('check-dice');
  const said = document.getElementById('dice-said');
  if (!table || !button || !window.crypto || !window.crypto.subtle) return;
  const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const roll = async (key, context, count, sides) => {
    const rolls = [];
    for (let block = 0; rolls.length < count; block++) {
      const text = new TextEncoder().encode(`${context}:${block}`);
      for (const byte of new Uint8Array(await crypto.subtle.sign('HMAC', key, text)))
        if (byte < 256 - (256 % sides) && rolls.length < count) rolls.push((byte % sides) + 1);
    }
    return rolls.join(' ');
  };
  button.hidden = false;
  button.addEventListener('click', async () => {
    const raw = bytes(table.dataset.key);
    const before = hex(await crypto.subtle.digest('SHA-256', raw));
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    let wrong = before === table.dataset.previous ? 0 : 1;
    for (const row of table.querySelectorAll('tbody tr[data-context]')) {
      const { context, sides, rolls } = row.dataset;
      const right = (await roll(key, context, rolls.split(' ').length, Number(sides))) === rolls;
      if (!right) wrong++;
      const cell = row.querySelector('.verdict');
      cell.textContent = right ? 'right' : 'WRONG';
      cell.className = `verdict ${right ? 'ok' : 'error'}`;
    }
    said.textContent = wrong === 0 ? 'The key and every roll are right.' : 'Something does not fit: tell your game master.';
  });
})();
