/* The scores of metrics: a row of counts, of a segment or summed over many, becomes a number.

   scorer(twin) makes the function of a metric once; it takes rows in the order of the metric's columns and gives NaN
   where there is no score. Each formula is that of the metric's score in Python, and stands in its order. */

/** The function that computes a metric's score: (row, at = 0) => number, the row beginning at `at`. */
export function scorer(twin) {
  return FORMULAS[twin.formula](twin);
}

/** The quotient, and 0 where there is nothing to divide by. */
function ratio(over, under) {
  return under === 0 ? 0 : over / under;
}

/** 1 for translations at least as long as their references, 0 for empty ones. */
function brevity(length, reference) {
  if (length >= reference) return 1;
  return length > 0 ? Math.exp(Math.min(0, 1 - reference / length)) : 0;
}

const NUMBERED = ["method4", "method5", "method6", "method7"];

function bleu({ order, counted, weights, smoothing, value, effective, convention }) {
  const largest = Math.max(...weights), scaled = weights.map(weight => weight / largest);
  const sum = scaled.reduce((total, weight) => total + weight, 0);
  const numbered = NUMBERED.includes(smoothing), mteval = convention === "mteval";
  const byLength = smoothing === "method4" || smoothing === "method7";
  const byNeighbours = smoothing === "method5" || smoothing === "method7";
  const precisions = new Float64Array(order + 1), there = new Uint8Array(order);

  return (row, at = 0) => {
    const length = row[at], matches = at + 2, totals = at + 2 + counted;
    let halvings = 0, lengthy = 0, whole = 1;
    for (let n = 0; n < order; n++) {
      let match = row[matches + n], total = row[totals + n];
      if (smoothing === "add-k" && n > 0) {
        match += value;
        total += value;
      }
      if (numbered && !effective && !(total > 1)) total = 1;
      if (!(total > 0)) whole = 0;
      there[n] = whole;
      let precision = ratio(match, total);
      if (match === 0 && total > 0) {
        if (smoothing === "floor") precision = value / total;
        else if (smoothing === "exp") precision = Math.pow(2, -++halvings) / total;
        else if (byLength && length > 1) precision = Math.log(length) / (Math.pow(2, ++lengthy) * value) / total;
      }
      precisions[n] = precision;
    }
    if (byNeighbours) {
      precisions[order] = ratio(row[totals - 1], Math.max(row[totals + counted - 1], 1));
      let before = precisions[0] + 1;
      for (let n = 0; n < order; n++) precisions[n] = before = (before + precisions[n] + precisions[n + 1]) / 3;
    } else if (smoothing === "method6") {
      for (let n = 2; n < order; n++) {
        const prior = ratio(precisions[n - 1] * precisions[n - 1], precisions[n - 2]);
        precisions[n] = (row[matches + n] + value * prior) / (row[totals + n] + value);
      }
    }
    let share = mteval ? sum : 0, mean = 0, any = false, all = true;
    for (let n = 0; n < order; n++) {
      const match = row[matches + n], precision = there[n] ? precisions[n] : 0;
      if (match > 0) any = true;
      else all = false;
      let weight = scaled[n];
      if (mteval) weight = row[totals + n] > 0 ? weight : 0;
      else {
        if (effective && !there[n]) weight = 0;
        // The logarithm of one word is 0, so that nothing is left of an order without a match.
        if (smoothing === "method4" && length <= 1 && match === 0) weight = 0;
        share += weight;
      }
      if (weight !== 0) {
        if (!(precision > 0)) return 0;
        mean += weight * Math.log(precision);
      }
    }
    const scored = mteval ? (smoothing === "exp" ? length > 0 : all) : any && share > 0;
    return scored ? 100 * brevity(length, row[at + 1]) * Math.exp(ratio(mean, share)) : 0;
  };
}

function modbleu({ order, brevity: penalised }) {
  return (row, at = 0) => {
    let sum = 0;
    for (let n = 0; n < order; n++) sum += ratio(row[at + 2 + n], row[at + 2 + order + n]);
    const mean = 100 * (sum / order);
    return penalised ? mean * brevity(row[at], row[at + 1]) : mean;
  };
}

/** One half where a translation has two thirds of the references' length. */
const NIST_BETA = Math.log(2) / Math.log(1.5) ** 2;

function nist({ order }) {
  return (row, at = 0) => {
    const short = Math.min(row[at + 1] > 0 ? row[at] / row[at + 1] : 1, 1);
    if (!(short > 0)) return 0;
    let sum = 0;
    for (let n = 0; n < order; n++) sum += ratio(row[at + 2 + n], row[at + 2 + order + n]);
    return sum * Math.exp(-NIST_BETA * Math.log(short) ** 2);
  };
}

/** What chrF++.py puts for a precision or recall that has nothing to divide by. */
const EPSILON = 1e-16;

function chrf({ orders, beta, smoothing }) {
  const weight = beta * beta;
  if (smoothing) {
    return (row, at = 0) => {
      let sum = 0;
      for (let n = 0; n < orders; n++) {
        const ours = row[at + 3 * n], theirs = row[at + 3 * n + 1], matches = row[at + 3 * n + 2];
        const precision = ours > 0 ? matches / ours : EPSILON, recall = theirs > 0 ? matches / theirs : EPSILON;
        const below = weight * precision + recall;
        sum += below > 0 ? ((1 + weight) * precision * recall) / below : EPSILON;
      }
      return (100 * sum) / orders;
    };
  }
  return (row, at = 0) => {
    let precision = 0, recall = 0, both = 0;
    for (let n = 0; n < orders; n++) {
      const ours = row[at + 3 * n], theirs = row[at + 3 * n + 1], matches = row[at + 3 * n + 2];
      if (ours > 0 && theirs > 0) {
        both++;
        precision += matches / ours;
        recall += matches / theirs;
      }
    }
    precision = ratio(precision, both);
    recall = ratio(recall, both);
    return 100 * ratio((1 + weight) * precision * recall, weight * precision + recall);
  };
}

function ter() {
  return (row, at = 0) => {
    const edits = row[at] + row[at + 1] + row[at + 2] + row[at + 3], length = row[at + 5];
    // Words where none were wanted: all wrong, and no more than that.
    return length > 0 ? (100 * edits) / length : edits > 0 ? 100 : 0;
  };
}

function wer() {
  return (row, at = 0) => {
    const errors = row[at + 1] + row[at + 2] + row[at + 3];
    return (100 * errors) / Math.max(row[at] + row[at + 1] + row[at + 2], 1);
  };
}

function per({ surplus }) {
  return (row, at = 0) => {
    const errors = surplus === "segment" ? row[at + 3] : Math.max(row[at + 1], row[at + 2]) - row[at];
    return (100 * errors) / Math.max(row[at + 2], 1);
  };
}

/** Precision and recall of words, or their harmonic mean with the weight alpha on recall. */
function shares({ measure, alpha, empty }) {
  return (row, at = 0) => {
    const matched = row[at], ours = row[at + 1], theirs = row[at + 2];
    if (ours === 0 && theirs === 0) return empty;
    const precision = ratio(matched, ours), recall = ratio(matched, theirs);
    if (measure === "precision") return 100 * precision;
    if (measure === "recall") return 100 * recall;
    return 100 * ratio(precision * recall, alpha * precision + (1 - alpha) * recall);
  };
}

function meteor({ alpha, beta, gamma, delta, weights, chunks, matches }) {
  const modules = weights.length, other = 1 - delta;
  return (row, at = 0) => {
    let ours = 0, theirs = 0;
    for (let n = 0; n < modules; n++) {
      const first = at + 4 * n;
      ours += weights[n] * (delta * row[first] + other * row[first + 1]);
      theirs += weights[n] * (delta * row[first + 2] + other * row[first + 3]);
    }
    const lengths = at + 4 * modules;
    const precision = ratio(ours, delta * row[lengths] + other * row[lengths + 1]);
    const recall = ratio(theirs, delta * row[lengths + 2] + other * row[lengths + 3]);
    if (!(precision > 0 && recall > 0)) return 0;
    const mean = 1 / ((1 - alpha) / precision + alpha / recall);
    const discount = gamma * Math.pow(ratio(row[at + chunks], row[at + matches]), beta);
    return 100 * Math.max(mean * (1 - discount), 0);
  };
}

/** Rows hold three sides: single words first, then for each larger size a number for each bucket of gaps. */
function blanc({ weights, decay, alpha }) {
  const order = weights.length, buckets = decay.length, width = 1 + (order - 1) * buckets;
  const largest = Math.max(...weights), scaled = weights.map(weight => weight / largest);

  function counted(row, from, size) {
    if (size === 0) return row[from];
    let sum = 0;
    for (let b = 0, place = from + 1 + (size - 1) * buckets; b < buckets; b++) sum += row[place + b] * decay[b];
    return sum;
  }

  function mean(row, at, size, ours, theirs) {
    return ratio(counted(row, at, size), alpha * theirs + (1 - alpha) * ours);
  }

  return (row, at = 0) => {
    const words = row[at + width], wanted = row[at + 2 * width];
    // Two empty texts agree.
    if (!(words > 0 || wanted > 0)) return 100;
    let sum = 0, weight = 0;
    for (let size = 0; size < order; size++) {
      const ours = counted(row, at + width, size), theirs = counted(row, at + 2 * width, size);
      // Sizes that neither side is long enough for say nothing.
      if (ours > 0 || theirs > 0) {
        sum += scaled[size] * mean(row, at, size, ours, theirs);
        weight += scaled[size];
      }
    }
    // Where no others have weight, single words speak.
    return 100 * (weight === 0 ? mean(row, at, 0, words, wanted) : sum / weight);
  };
}

function perplexity() {
  return (row, at = 0) => Math.pow(2, ratio(row[at], row[at + 1]));
}

/** One column by another; where 0 of `missing` means that there is no score, nothing by nothing is none. */
function quotient({ over, under, scale, missing }) {
  if (missing !== undefined) return (row, at = 0) => (scale * row[at + over]) / row[at + under];
  return (row, at = 0) => scale * ratio(row[at + over], row[at + under]);
}

/** The mean of several scores; of those of which lower is better, 100 less the score. */
function combination({ parts }) {
  const known = parts.map(part => ({ score: scorer(part.twin), from: part.from, turned: part.turned }));
  return (row, at = 0) => {
    let sum = 0;
    for (const { score, from, turned } of known) {
      const value = score(row, at + from);
      sum += turned ? 100 - value : value;
    }
    return sum / known.length;
  };
}

const FORMULAS = {
  bleu, modbleu, nist, chrf, ter, wer, per, shares, meteor, blanc, perplexity, ratio: quotient, combination,
};
