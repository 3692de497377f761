// Builds one HTML file with its script and style inside, where the Rust crate embeds it.
import { writeFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** Where the page goes: into the crate that embeds it, or elsewhere for a comparison. */
const target = process.env["PAGE"] ?? new URL("../crates/dycausal-io/src/report/page.html", import.meta.url);

/** Puts script and style into the page: a report is one file. */
function single(): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      let page = "";
      let script = "";
      let style = "";
      for (const file of Object.values(bundle)) {
        if (file.fileName.endsWith(".html") && file.type === "asset") page = String(file.source);
        else if (file.fileName.endsWith(".css") && file.type === "asset") style += String(file.source);
        else if (file.type === "chunk") script += file.code;
      }
      // Nothing in the script may end the element it stands in.
      const safe = script.trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
      page = page
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("</head>", () => `<style>${style.trim()}</style>\n</head>`)
        .replace("</body>", () => `<script type="module">${safe}</script>\n</body>`);
      writeFileSync(target, page);
    },
  };
}

export default defineConfig({
  plugins: [single()],
  build: { target: "es2022", modulePreload: false, cssCodeSplit: false, write: false, reportCompressedSize: false },
});
