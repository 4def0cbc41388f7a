import { createRandom, type Random } from "./random";
import type { Size } from "./input";

const RIDGES = 6;
const STEPS = 64;

/**
 * Returns a landscape as SVG, derived deterministically from the prompt: a sky between two hues, stars at night, a sun or
 * moon with its glow, and ridges that darken and shift in hue towards the viewer, or cycle through the given colours. The
 * resolution changes only its size.
 */
export function paintLandscape(prompt: string, { width, height }: Size, colours: string[] = []): string {
  const random = createRandom(prompt);
  // The short edge is always 1000 units, so that a prompt gives the same picture at every resolution.
  const unit = Math.min(width, height) / 1000;
  const w = width / unit;
  const h = height / unit;
  // The land is always cool and the light warm; the sky blends through rose between them.
  const hue = random.between(165, 315);
  const glow = 360 + random.between(5, 55);
  const daylight = random.between(0, 1);

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${n(w)} ${n(h)}">
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="${hsl(hue, 55, 12 + 38 * daylight)}"/>
        <stop offset="0.55" stop-color="${hsl((hue + glow) / 2, 50, 38 + 32 * daylight)}"/>
        <stop offset="0.8" stop-color="${hsl(glow, 80, 62 + 20 * daylight)}"/>
      </linearGradient>
      <radialGradient id="glow">
        <stop offset="0" stop-color="${hsl(glow, 100, 92)}" stop-opacity="0.85"/>
        <stop offset="0.35" stop-color="${hsl(glow, 95, 78)}" stop-opacity="0.3"/>
        <stop offset="1" stop-color="${hsl(glow, 90, 70)}" stop-opacity="0"/>
      </radialGradient>
    </defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    ${daylight < 0.5 ? paintStars(random, w, h) : ""}
    ${paintSun(random, w, h, glow)}
    ${Array.from({ length: RIDGES }, (_, i) => paintRidge(random, { w, h }, i, colours[i % colours.length] ?? landColour(hue, i))).join("")}
  </svg>`;
}

function paintStars(random: Random, w: number, h: number): string {
  const star = () =>
    `<circle cx="${n(random.between(0, w))}" cy="${n(random.between(0, h * 0.6))}" r="${n(random.between(0.6, 2.4))}" fill="#fff" fill-opacity="${n(random.between(0.2, 0.9))}"/>`;
  return Array.from({ length: 90 }, star).join("");
}

function paintSun(random: Random, w: number, h: number, hue: number): string {
  const at = `cx="${n(random.between(0.2, 0.8) * w)}" cy="${n(random.between(0.18, 0.42) * h)}"`;
  const radius = random.between(45, 110);
  return `<circle ${at} r="${n(radius * 5)}" fill="url(#glow)"/><circle ${at} r="${n(radius)}" fill="${hsl(hue, 100, 95)}"/>`;
}

function paintRidge(random: Random, { w, h }: { w: number; h: number }, index: number, fill: string): string {
  const near = nearness(index);
  const base = h * (0.5 + 0.4 * near);
  const waves = [1, 2.3, 5.1, 11.7].map((frequency) => ({
    height: (random.between(40, 90) * (1 - 0.35 * near)) / frequency ** 0.8,
    length: (frequency * random.between(0.8, 1.3) * 2 * Math.PI) / 1000,
    phase: random.between(0, 2 * Math.PI),
  }));
  const points = Array.from({ length: STEPS + 1 }, (_, step) => {
    const x = (w * step) / STEPS;
    const y = waves.reduce((sum, wave) => sum - wave.height * Math.sin(x * wave.length + wave.phase), base);
    return `${n(x)} ${n(y)}`;
  });
  return `<path d="M0 ${n(h)} L${points.join(" L")} L${n(w)} ${n(h)} Z" fill="${fill}" fill-opacity="0.92"/>`;
}

const nearness = (index: number) => index / (RIDGES - 1);

function landColour(hue: number, index: number): string {
  const near = nearness(index);
  return hsl(hue + 25 * near, 28 + 22 * near, 62 - 54 * near);
}

const n = (value: number): string => String(Math.round(value * 10) / 10);
const hsl = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${n(hue % 360)},${n(saturation)}%,${n(lightness)}%)`;
