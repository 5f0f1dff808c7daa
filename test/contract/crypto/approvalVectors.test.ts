import assert from 'node:assert/strict';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import { canonicalJson } from '../../../core/crypto/canonicalJson.ts';
import { cryptoPorts } from './ports.ts';
import { profileVectors } from './profileVectors.ts';

describe('approval digest vectors', () => {
  for (const { action, canonical_utf8, digest } of profileVectors.approval_digest.cases) {
    it(`digests the ${action.tool} action of ${action.agent_id} [K20]`, () => {
      assert.equal(canonicalJson(action), canonical_utf8);
      for (const { port } of cryptoPorts) assert.equal(approvalDigest(port, action), digest);
    });
  }
});
