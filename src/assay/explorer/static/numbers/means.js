// Means of systems that were judged on different segments, as Python's people/scores.py has them.

/**
 * Means over the same segments though some systems lack scores of some (NaN): nobody is better for easier segments.
 *
 * `values` are arrays of scores by segment, one per system; `places` the segments that count, null for all. A cell is
 * the sum of what its system and its segment bring, fitted by least squares; what segments bring is eliminated, which
 * leaves equations of systems alone. Systems that share no segment, not even by way of others, cannot be compared: the
 * largest group of those that can has means, the others NaN; of two such groups, none.
 */
export function adjustedMeans(values, places = null) {
  const systems = values.length;
  const kept = places ?? Array.from(values[0] ?? [], (_, place) => place);
  const number = new Float64Array(systems);
  const sums = new Float64Array(systems);
  let [cells, total, unequal] = [0, 0, false];
  for (const place of kept) {
    for (let s = 0; s < systems; s += 1) {
      const value = values[s][place];
      if (Number.isNaN(value)) continue;
      number[s] += 1;
      sums[s] += value;
      cells += 1;
      total += value;
    }
  }
  const taking = Array.from(number, (count) => count > 0).filter(Boolean).length;
  for (const place of kept) {
    let count = 0;
    for (let s = 0; s < systems; s += 1) count += Number.isNaN(values[s][place]) ? 0 : 1;
    unequal ||= count > 0 && count < taking;
  }
  if (!unequal) return Float64Array.from(sums, (sum, s) => (number[s] ? sum / number[s] : NaN));
  const centre = total / cells;
  const matrix = Array.from({ length: systems }, () => new Float64Array(systems));
  const [right, shares, parts] = [0, 0, 0].map(() => new Float64Array(systems));
  for (const place of kept) {
    const there = [];
    let sum = 0;
    for (let s = 0; s < systems; s += 1) {
      if (Number.isNaN(values[s][place])) continue;
      there.push(s);
      sum += values[s][place] - centre;
    }
    for (const s of there) {
      const value = values[s][place] - centre;
      right[s] += value - sum / there.length;
      shares[s] += 1 / there.length;
      parts[s] += value / there.length;
      for (const other of there) matrix[s][other] += 1 / there.length;
    }
  }
  const group = largestGroup(matrix, number);
  if (!group) return new Float64Array(systems).fill(NaN);
  // What systems bring is known but for a constant: its sum over the group is 0.
  const scale = Math.max(...number, 1) / systems;
  const equations = group.map((s) => [
    ...group.map((other) => (s === other ? number[s] : 0) - matrix[s][other] + scale),
    right[s],
  ]);
  const effects = solved(equations);
  let [above, below] = [0, 0];
  group.forEach((s, row) => {
    above += parts[s] - shares[s] * effects[row];
    below += shares[s];
  });
  const means = new Float64Array(systems).fill(NaN);
  group.forEach((s, row) => (means[s] = effects[row] + above / below + centre));
  return means;
}

/** The largest group of systems that share segments, by way of others too; null where two are equally large. */
function largestGroup(shared, number) {
  const groups = [];
  const seen = new Set();
  for (let s = 0; s < number.length; s += 1) {
    if (seen.has(s) || !number[s]) continue;
    const group = [];
    const waiting = [s];
    seen.add(s);
    while (waiting.length) {
      const one = waiting.pop();
      group.push(one);
      shared[one].forEach((share, other) => {
        if (share > 0 && !seen.has(other)) {
          seen.add(other);
          waiting.push(other);
        }
      });
    }
    groups.push({ group: group.sort((a, b) => a - b), cells: group.reduce((sum, one) => sum + number[one], 0) });
  }
  groups.sort((a, b) => b.group.length - a.group.length || b.cells - a.cells);
  const [first, second] = groups;
  const equal = second && second.group.length === first.group.length && second.cells === first.cells;
  return first && !equal ? first.group : null;
}

/** The solution of equations, each a row with its right side last: elimination with the largest pivot. */
function solved(rows) {
  const count = rows.length;
  for (let column = 0; column < count; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < count; row += 1) {
      if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row;
    }
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    for (let row = column + 1; row < count; row += 1) {
      const times = rows[row][column] / rows[column][column];
      for (let place = column; place <= count; place += 1) rows[row][place] -= times * rows[column][place];
    }
  }
  const solution = new Array(count).fill(0);
  for (let row = count - 1; row >= 0; row -= 1) {
    let rest = rows[row][count];
    for (let column = row + 1; column < count; column += 1) rest -= rows[row][column] * solution[column];
    solution[row] = rest / rows[row][row];
  }
  return solution;
}
