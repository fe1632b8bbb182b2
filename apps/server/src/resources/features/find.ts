export { addFeatures, featuresOf, removeFeatures } from './features.ts';
