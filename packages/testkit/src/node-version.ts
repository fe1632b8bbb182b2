/** The oldest Node that this package runs on, as its `engines` say. */
const OLDEST = '22.2';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = OLDEST.split('.').map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  throw new Error(`@broadside/testkit needs Node ${OLDEST} or newer; this is Node ${process.versions.node}`);
}
