// How the page of a prediction study looks: on light and dark screens, on phones and on paper.
#pragma once

namespace forerun::draw {

// Colours after Okabe and Ito, which everybody can tell apart; dashes say the same without colour.
inline constexpr const char* kStudyStyle = R"css(
:root{--paper:#fff;--ink:#1b2430;--soft:#5a6572;--rule:#dfe3e8;--card:#f5f7f9;--truth:#1b2430;--extrapolation:#c44e00;
--prediction:#0067a8;--other:#007a5a;--floor:#f6f4ef;--wall:#56606b;--furniture:#e3ddd0;--edge:#b9b09f;--door:#94724f}
@media(prefers-color-scheme:dark){:root{--paper:#12171d;--ink:#e9edf1;--soft:#9eaab6;--rule:#2c353f;--card:#1a2129;
--truth:#f4f6f8;--extrapolation:#ff9b45;--prediction:#5cb8f0;--other:#45d0a3;--floor:#1c232b;--wall:#8a96a3;--furniture:#2a323b;
--edge:#46515c;--door:#b08d66}}
@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--rule:#ccc;--card:#fff;--truth:#000;--extrapolation:#c44e00;
--prediction:#0067a8;--other:#007a5a;--floor:#f6f4ef;--wall:#56606b;--furniture:#e3ddd0;--edge:#b9b09f;--door:#94724f}
figure,.cells,table,.pair>*{break-inside:avoid}h2{break-after:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,Ubuntu,
"DejaVu Sans",sans-serif}
main{max-width:1000px;margin:0 auto;padding:2.2rem 1.1rem 3rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem}h2{font-size:1.2rem;line-height:1.3;margin:2.8rem 0 .3rem}
h2 b{color:var(--soft);font-weight:600;margin-right:.35em}
p{margin:.4rem 0;max-width:46rem}.lead{font-size:1.25rem;line-height:1.45;margin:.2rem 0 1.1rem;max-width:50rem}
.lead strong{white-space:nowrap}strong.prediction,strong.extrapolation{font-weight:650}
strong.prediction,i.prediction{color:var(--prediction)}strong.extrapolation,i.extrapolation{color:var(--extrapolation)}
i{font-style:normal;font-weight:600}.soft{color:var(--soft);font-size:.92rem}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(7rem,1fr));gap:.6rem 1.4rem;margin:0;padding:.9rem 1.1rem;
background:var(--card);border:1px solid var(--rule);border-radius:8px}
dl div{min-width:0}dt{color:var(--soft);font-size:.8rem;line-height:1.3}dd{margin:0;overflow-wrap:anywhere;font-weight:550}
figure{margin:1rem 0 0}figcaption{color:var(--soft);font-size:.9rem;margin:.3rem 0 0;max-width:46rem}
figure h3{font-size:1rem;margin:0 0 .25rem;font-weight:400}
.strips{display:grid;gap:1.1rem}.columns{display:grid;align-items:end;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr))}
.pair{display:grid;gap:1.2rem 2.2rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr))}.pair figure{margin-top:.8rem}
.definition{position:absolute}.window{position:relative;overflow:hidden;border:1px solid var(--rule);border-radius:6px}
.window svg,.chart{display:block;width:100%;height:auto}
.floor{fill:var(--floor);stroke:var(--floor)}.furniture{fill:var(--furniture);stroke:var(--furniture)}
.wall{fill:var(--wall);stroke:var(--wall)}.edge{fill:none;stroke:var(--edge)}.door{fill:none;stroke:var(--door)}
.floor,.furniture,.wall,.edge{stroke-width:.5px;vector-effect:non-scaling-stroke}
.door{stroke-width:1.6px;vector-effect:non-scaling-stroke}
.truth{--role:var(--truth)}.extrapolation{--role:var(--extrapolation)}.prediction{--role:var(--prediction)}.other{--role:var(--other)}
.line{fill:none;stroke:var(--role);stroke-width:2.2px;stroke-linejoin:round;stroke-linecap:round;
vector-effect:non-scaling-stroke}
.line.dashed{stroke-dasharray:6 5}.line.faint{stroke-width:1.4px;opacity:.45}
.line.jump{stroke-width:1px;stroke-dasharray:1 4;opacity:.9}
.band{fill:var(--role);opacity:.2;stroke:none}
.dot{fill:none;stroke:var(--role);stroke-width:8px;stroke-linecap:round;vector-effect:non-scaling-stroke}
.region{fill:var(--role);fill-opacity:.16;stroke:var(--role);stroke-width:1px;stroke-opacity:.65;
vector-effect:non-scaling-stroke}
.robot circle{fill:var(--role);fill-opacity:.28;stroke:var(--role);stroke-width:1.8px;vector-effect:non-scaling-stroke}
.robot path{fill:none;stroke:var(--role);stroke-width:1.8px;vector-effect:non-scaling-stroke}
.robot.ghost circle{fill:none;stroke-dasharray:2 2.5;stroke-width:1.2px}.robot.ghost path{stroke-width:1.2px}
.scale{fill:none;stroke:var(--ink);stroke-width:2px;vector-effect:non-scaling-stroke}
.scale.under{stroke:var(--paper);stroke-width:6px}
.window span{position:absolute;white-space:nowrap;line-height:1;transform:translate(-50%,-50%)}
.window .goal{width:1.35rem;height:1.35rem;border-radius:50%;background:var(--ink);color:var(--paper);font-size:.8rem;
font-weight:650;display:grid;place-items:center;box-shadow:0 0 0 1.5px var(--paper)}
.window .start{background:var(--ink);color:var(--paper);border-radius:4px;padding:.18em .4em;font-size:.75rem;
font-weight:600;box-shadow:0 0 0 1.5px var(--paper);transform:translate(-50%,calc(-100% - .45rem))}
.window .scale-words{transform:translate(-50%,-150%);font-size:.75rem;color:var(--ink);
text-shadow:0 0 3px var(--paper),0 0 3px var(--paper),0 0 3px var(--paper)}
.window .name{font-size:.86rem;font-weight:650;color:var(--role);background:var(--paper);border-radius:3px;padding:.14em .35em;
opacity:.94}.window .name.right{transform:translate(.25rem,-50%)}.window .name.left{transform:translate(calc(-100% - .25rem),-50%)}
.window .name.above{transform:translate(-50%,calc(-100% - .25rem))}.window .name.below{transform:translate(-50%,.25rem)}
.chart text{font:14px system-ui,-apple-system,"Segoe UI",Roboto,Ubuntu,"DejaVu Sans",sans-serif;fill:var(--soft)}
.chart .grid{stroke:var(--rule);stroke-width:1}.chart .axis{stroke:var(--soft);stroke-width:1}
.chart .mark{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3}
.chart text.mark-words{font-size:12.5px}.chart text.tick{font-size:13px}
.chart text.mark-words,.chart text.name{paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}
.chart text.name{fill:var(--role);font-weight:650}
.scroll{overflow-x:auto}.cells{border-collapse:separate;border-spacing:4px 6px;width:100%;min-width:46rem}
.cells th{font-size:.85rem;font-weight:600;text-align:center;padding:0}.cells th[scope=row]{text-align:left;width:7rem;color:var(--role)}
.cells td{padding:0;border:0;vertical-align:top;text-align:center;font-size:.82rem;font-variant-numeric:tabular-nums}
.cells .window{margin:0 auto}
.figures{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;margin:.6rem 0}
.figures th,.figures td{padding:.38rem .7rem .38rem 0;text-align:right;border-bottom:1px solid var(--rule)}
.figures th:first-child,.figures td:first-child{text-align:left}.figures td .soft{white-space:nowrap}
.rows td:first-child{white-space:nowrap}.figures thead th{color:var(--soft);font-size:.85rem;
font-weight:600;vertical-align:bottom}.figures td:last-child,.figures th:last-child{padding-right:0}
@media(max-width:600px){main{padding:1.3rem .9rem 2rem}h1{font-size:1.4rem}.lead{font-size:1.1rem}
.window .goal{width:1.05rem;height:1.05rem;font-size:.66rem}.window .name{font-size:.76rem}.line{stroke-width:1.7px}
.strips .window .start{display:none}.figures{font-size:.88rem}.figures td .soft{display:block}}
)css";

}  // namespace forerun::draw
