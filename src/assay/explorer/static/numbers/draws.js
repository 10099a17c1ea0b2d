/* Random draws as a pure function of seed, purpose, number of the draw and key of the unit, as Assay's kernels have it.

   The function is Philox4x32 with ten rounds (Salmon et al., 2011). Nothing is remembered between two draws, so that a
   page draws the same as the command line, and a filter keeps the draws of what it keeps. */

/** Four random words of 32 bits for a counter of four and a key of two, written into `out`. */
export function philox(c0, c1, c2, c3, k0, k1, out) {
  for (let round = 0; round < 10; round++) {
    const low0 = Math.imul(0xd2511f53, c0), high0 = high(0xd251, 0x1f53, c0);
    const low2 = Math.imul(0xcd9e8d57, c2), high2 = high(0xcd9e, 0x8d57, c2);
    c0 = high2 ^ c1 ^ k0;
    c1 = low2;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + 0x9e3779b9) | 0;
    k1 = (k1 + 0xbb67ae85) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
  return out;
}

/** The high half of a product of 64 bits, of which the first factor comes in halves of 16. */
function high(above, below, factor) {
  const top = factor >>> 16, bottom = factor & 0xffff;
  const first = (Math.imul(top, below) + (Math.imul(bottom, below) >>> 16)) | 0;
  const second = (Math.imul(bottom, above) + (first & 0xffff)) | 0;
  return (Math.imul(top, above) + (first >>> 16) + (second >>> 16)) | 0;
}

/** 2^32 times the chance that a Poisson variable of mean 1 is at most 0, 1, ... 11: beyond 12 none of 2^32 lies. */
const AT_MOST = [
  1580030169, 3160060337, 3950075422, 4213413783, 4279248374, 4292415292, 4294609778, 4294923276, 4294962463,
  4294966817, 4294967253, 4294967292,
];

/**
 * How often each unit counts in `draws` draws from number `first` on, draws by units: Poisson(1) counts.
 * A stream is {seed, purpose}; the keys of units come in halves of 32 bits.
 */
export function counts({ seed, purpose }, low, high, first, draws) {
  const units = low.length, table = new Uint8Array(draws * units), words = new Uint32Array(4);
  for (let row = 0; row < draws; ) {
    const block = Math.floor((first + row) / 4), from = (first + row) % 4, stop = Math.min(draws, row + 4 - from);
    for (let unit = 0; unit < units; unit++) {
      philox(block, low[unit], high[unit], 0, seed, purpose, words);
      for (let draw = row; draw < stop; draw++) {
        const word = words[from + draw - row];
        let count = 0;
        while (count < 12 && word >= AT_MOST[count]) count++;
        table[draw * units + unit] = count;
      }
    }
    row = stop;
  }
  return table;
}
