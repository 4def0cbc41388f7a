export default {
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: new URL("../..", import.meta.url).pathname },
};
