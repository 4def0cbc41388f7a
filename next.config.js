// The policy of scripts is new with every page: proxy.ts.
const pageHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=()" },
];

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // server/process/pages.ts compresses, with Brotli too.
  compress: false,
  // Nothing of ours is resized by Next, which would fetch and decode what anybody names.
  images: { unoptimized: true },
  // `npm test` checks types and rules of every file, those outside the pages as well.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // A page's scripts are six files instead of sixteen: what each costs beside its bytes is more than sharing saves.
    turbopackChunking: { minChunkSize: 500_000, maxMergeChunkSize: 2_000_000 },
    // To join modules takes more than half of a build, and saves a page 4 % of its script.
    turbopackScopeHoisting: false,
    // Only browsers load scripts by their size, and what Next caches for the next build takes a third of the first one.
    turbopackMinify: { server: false, client: true },
    turbopackSourceMaps: false,
    turbopackFileSystemCacheForBuild: false,
    // docs/decisions/0053-inline-styles.md
    inlineCss: true,
    // Loading every page at the start takes a quarter of it, during which a restarted hub answers nobody.
    preloadEntriesOnStart: false,
  },
  // A cached file of another folder must not be taken for the root of the project.
  turbopack: { root: import.meta.dirname },
  // The former second reference of the API.
  redirects: () => Promise.resolve([{ source: "/docs/explorer", destination: "/docs", permanent: true }]),
  // Next ignores folders that begin with a dot. The hub's own server answers these paths before it.
  rewrites: () =>
    Promise.resolve([{ source: "/.well-known/:path(oauth-.*)", destination: "/oauth/.well-known/:path" }]),
  async headers() {
    // The REST API sets its own, the same under either host.
    return [{ source: "/((?!api/|v1/|mcp$|mcp/|s/).*)", headers: pageHeaders }];
  },
};
