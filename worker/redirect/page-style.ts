import { MONO_FONT_PATH, SANS_FONT_PATH } from '#contract/fonts.ts';

/**
 * The style of pages that the Worker renders: the application's fonts, header and footer, and a
 * copy of the tokens that they use from web/styles/theme.css. A test compares the copy.
 */
export const PAGE_STYLE = `
@font-face{font-family:"Geist Variable";font-display:swap;font-weight:100 900;src:url(${SANS_FONT_PATH}) format("woff2")}
@font-face{font-family:"Geist Mono Variable";font-display:swap;font-weight:100 900;src:url(${MONO_FONT_PATH}) format("woff2")}
@font-face{font-family:"Geist Fallback";src:local("Arial"),local("Liberation Sans"),local("Arimo");ascent-override:95.94%;descent-override:28.16%;line-gap-override:0%;size-adjust:104.76%}
:root{color-scheme:light dark;scrollbar-gutter:stable;
--canvas:light-dark(oklch(0.985 0.003 95),oklch(0.165 0.006 270));
--surface:light-dark(oklch(1 0 0),oklch(0.2 0.007 270));
--ink:light-dark(oklch(0.21 0.012 270),oklch(0.96 0.003 95));
--ink-2:light-dark(oklch(0.41 0.012 270),oklch(0.8 0.006 270));
--ink-3:light-dark(oklch(0.51 0.012 270),oklch(0.69 0.008 270));
--line:light-dark(oklch(0.905 0.005 95),oklch(0.295 0.008 270));
--accent:light-dark(oklch(0.51 0.2 262),oklch(0.76 0.125 258))}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;min-height:100svh;display:flex;flex-direction:column;background:var(--canvas);color:var(--ink);font:16px/1.5 "Geist Variable","Geist Fallback",system-ui,sans-serif;-webkit-font-smoothing:antialiased;-webkit-text-size-adjust:100%}
a{color:var(--accent);text-underline-offset:3px}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
header{border-bottom:1px solid var(--line)}
footer{border-top:1px solid var(--line);font-size:13px;color:var(--ink-3)}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:0 16px;width:100%;max-width:1080px;min-height:56px;margin:0 auto;padding:0 24px}
footer .bar{gap:16px 24px;padding-block:32px}
.logo{display:inline-flex;align-items:center;gap:8px;color:inherit;text-decoration:none}
a.logo{min-height:44px;font-weight:600;letter-spacing:-.025em}
.logo svg{width:24px;height:24px}footer .logo svg{width:20px;height:20px}.dot{fill:var(--accent)}
nav{display:flex;flex-wrap:wrap;gap:0 4px;font-size:14px}footer nav{gap:0 16px;margin-inline-start:auto;font-size:13px}
nav a{display:inline-flex;align-items:center;min-height:36px;padding:0 10px;color:var(--ink-2);text-decoration:none}footer nav a{padding:0}
nav a:hover{color:var(--ink)}
main{flex:1;width:100%;max-width:1080px;margin:0 auto;padding:24px 24px 80px}main>*{max-width:680px}
h1{margin:0 0 8px;font-size:24px;line-height:32px;letter-spacing:-.025em;text-wrap:balance;font-weight:600;overflow-wrap:anywhere}
p{margin:0 0 16px;color:var(--ink-2)}
.status{margin:0 0 8px;font-size:14px;color:var(--ink-3);overflow-wrap:anywhere}
.mono,.code{font-family:"Geist Mono Variable",ui-monospace,monospace;font-size:14px;overflow-wrap:anywhere}
.reason,.card{border:1px solid var(--line);border-radius:12px;background:var(--surface);color:var(--ink)}
.reason{padding:12px 16px;overflow-wrap:anywhere}
.card{display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start;justify-content:space-between;margin-top:24px;padding:20px}
dl{flex:1 1 260px;min-width:0;margin:0}
dt{font-size:13px;color:var(--ink-3)}dd{margin:0 0 12px;font-size:14px;overflow-wrap:anywhere}dd:last-child{margin:0}dd.mono{word-break:break-all}
.qr{width:136px;height:136px;border-radius:8px;border:1px solid var(--line);display:block}
.actions{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:center;margin:24px 0 0}
.actions a{display:inline-flex;align-items:center;min-height:44px}
.actions .button{max-width:100%;padding:9px 20px;border:1px solid transparent;border-radius:8px;background:var(--ink);color:var(--canvas);font-weight:500;text-decoration:none;overflow-wrap:anywhere}
.actions .button:hover{background:var(--ink-2)}
.support{margin:24px 0 0;font-size:14px;overflow-wrap:anywhere}
@media(max-width:639px){.bar{padding:0 16px}main{padding:24px 16px 64px}header nav{margin-inline-start:auto}header nav a:nth-child(n+3){display:none}header nav a:nth-child(2){margin-inline-end:-10px}nav a{min-height:44px}footer nav{margin-inline-start:0}}
@media(min-width:768px){header nav{margin-inline-start:12px}}
@media(min-width:640px){h1:not(.host){font-size:32px;line-height:38px}}
@media print{header,footer,.actions{display:none}}
`;
