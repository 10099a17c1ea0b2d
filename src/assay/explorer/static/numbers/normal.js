/* The normal distribution and Student's t. */

/** The share of a standard normal variable that lies below x. */
export function cdf(x) {
  return x < 0 ? 0.5 * beyond(-x / Math.SQRT2) : 1 - 0.5 * beyond(x / Math.SQRT2);
}

/** The complement of the error function of z, which is not negative: by a series or, further out, a fraction. */
function beyond(z) {
  if (z < 2) {
    let term = z, sum = z;
    for (let n = 1; term > sum * 1e-17; n++) sum += term *= (2 * z * z) / (2 * n + 1);
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-z * z) * sum;
  }
  let fraction = z;
  for (let n = 120; n > 0; n--) fraction = z + n / 2 / fraction;
  return Math.exp(-z * z) / Math.sqrt(Math.PI) / fraction;
}

/** Numbers of Wichura's algorithm AS241 (1988), highest power first: above and below the line. */
const MIDDLE = [
  [
    2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
    1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.387132872796366608,
  ],
  [
    5.226495278852854561e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
    5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1,
  ],
];
const NEAR = [
  [
    7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258,
    3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734,
  ],
  [
    1.05075007164441684324e-9, 5.475938084995344946e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
    6.8976733498510000455e-1, 1.6763848301838038494, 2.05319162663775882187, 1,
  ],
];
const FAR = [
  [
    2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
    2.96560571828504891230e-1, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772,
  ],
  [
    2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
    1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.9983220655588793769e-1, 1,
  ],
];

function quotient([above, below], r) {
  const value = numbers => numbers.reduce((sum, number) => sum * r + number, 0);
  return value(above) / value(below);
}

/** The value below which the share p of a standard normal variable lies. */
export function inverseCdf(p) {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return quotient(MIDDLE, 0.180625 - q * q) * q;
  const r = Math.sqrt(-Math.log(q <= 0 ? p : 1 - p));
  const x = r <= 5 ? quotient(NEAR, r - 1.6) : quotient(FAR, r - 5);
  return q < 0 ? -x : x;
}

/** The quantile of Student's t, by Cornish and Fisher's series: right to a per cent from 3 degrees of freedom on. */
export function studentQuantile(tail, freedom) {
  const z = inverseCdf(tail);
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}

/** The same to the last digits, for tails below one half: Newton's steps from there. */
export function studentT(tail, freedom) {
  const half = (freedom + 1) / 2, scale = gammaRatio(freedom / 2) / Math.sqrt(freedom * Math.PI);
  let t = -studentQuantile(tail, Math.max(freedom, 3));
  for (let step = 0; step < 50; step++) {
    const share = (t * t) / (freedom + t * t), density = scale * Math.pow(1 + (t * t) / freedom, -half);
    // What lies between 0 and t: a series of which all terms are positive.
    let term = 1, sum = 1;
    for (let n = 0; term > sum * 1e-17; n++) sum += term *= ((half + n) / (1.5 + n)) * share;
    const change = (0.5 - tail - t * density * sum) / density;
    t += change;
    if (Math.abs(change) < 1e-15 * t) break;
  }
  return -t;
}

/** Gamma(x + 1/2) / Gamma(x), by a series of large numbers and steps down from there. */
function gammaRatio(x) {
  let steps = 1;
  for (; x < 40; x++) steps *= x / (x + 0.5);
  const y = 1 / x, later = 1 / 128 + y * (5 / 1024 - y * (21 / 32768 + y * (399 / 262144)));
  return steps * Math.sqrt(x) * (1 - y * (1 / 8 - y * later));
}
