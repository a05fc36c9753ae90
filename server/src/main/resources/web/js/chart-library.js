/** The chart library, from its WebJar: the one place that names its version, with index.html. */
export { default } from "../webjars/uplot/1.6.30/dist/uPlot.esm.js";
