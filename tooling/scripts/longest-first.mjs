import path from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { longestTests } from './test-files.mjs';
import { root } from './toolchain.mjs';

/** Orders files so that none of the longest begins when the others are done, which would leave cores idle. */
export default class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} specifications
   */
  async sort(specifications) {
    const sorted = await super.sort(specifications);
    /** @param {import('vitest/node').TestSpecification} specification */
    const rank = ({ moduleId, project }) => {
      const file = path.relative(root, moduleId).split(path.sep).join('/');
      const place = longestTests.findIndex((start) => file.startsWith(start));
      // Projects stay together: a worker serves one of them.
      return (project.config.isolate ? 0 : longestTests.length + 1) + (place < 0 ? longestTests.length : place);
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
