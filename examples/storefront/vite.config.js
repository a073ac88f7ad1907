export default {
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  server: { host: "127.0.0.1", port: 5173 },
  build: { target: "es2022", sourcemap: false },
};
