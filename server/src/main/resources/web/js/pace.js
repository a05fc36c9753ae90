/** The pace of a stream: a slider from 0.1 to 50 a second, in even steps of proportion. Pure. */

const SLOWEST = 0.1;
const FASTEST = 50;
const STEPS = 100;

/** Requests a second at a slider's position from 0 to 100. */
export function paceOf(position) {
  const exact = SLOWEST * (FASTEST / SLOWEST) ** (Number(position) / STEPS);
  return exact < 10 ? Math.round(exact * 10) / 10 : Math.round(exact);
}

/** The slider's position for a pace, clamped to its ends. */
export function sliderOf(perSecond) {
  const within = Math.min(FASTEST, Math.max(SLOWEST, perSecond));
  return (STEPS * Math.log(within / SLOWEST)) / Math.log(FASTEST / SLOWEST);
}

/** `2 per second`, or `1 every 5 s` when slower than one a second. */
export function perSecondText(perSecond) {
  if (perSecond >= 1) return `${perSecond} per second`;
  return `1 every ${Math.round(10 / perSecond) / 10} s`;
}

/** How a pace compares with what the limit gives back: `twice the limit`. */
export function comparison(perSecond, limitPerSecond) {
  const ratio = perSecond / limitPerSecond;
  if (ratio > 0.95 && ratio < 1.05) return "as fast as the limit";
  if (ratio > 1.9 && ratio < 2.1) return "twice the limit";
  if (ratio > 0.48 && ratio < 0.52) return "half the limit";
  if (ratio > 1) return ratio > 100 ? "far above the limit" : `${short(ratio)} times the limit`;
  return ratio < 0.01 ? "far below the limit" : `${Math.round(ratio * 100)} % of the limit`;
}

function short(ratio) {
  return ratio < 10 ? String(Math.round(ratio * 10) / 10) : String(Math.round(ratio));
}
