export { type FeatureKey, featureKeys, initialSandboxFeatures, sandboxFeatureKeys } from './entity.ts';
