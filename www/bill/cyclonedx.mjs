/**
 * `sbom.cdx.json`: the packages of a site as a CycloneDX bill of materials, version 1.6. Same packages, same bytes: it has no
 * time, and its serial number is made of its content.
 */

import { createHash } from 'node:crypto';
import { key } from './packages.mjs';

/** @typedef {import('./packages.mjs').Package} Package */

/** Places where packages are found, by kind. @type {Record<Package['kind'], (each: Package) => string>} */
const addresses = {
  cargo: ({ name, version }) => `pkg:cargo/${name}@${version}`,
  npm: ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`,
  rust: ({ name, version }) => `pkg:generic/${name}@${version}`,
  model: ({ name, version }) => `pkg:generic/${name}@${version}`,
  compiled: ({ name, version }) => `pkg:generic/${name}@${version}`,
};

/** @param {Package} each */
function component(each) {
  const ours = each.kind === 'cargo' && each.hash === null;
  return {
    type: each.kind === 'model' ? 'machine-learning-model' : 'library',
    'bom-ref': reference(each),
    name: each.name,
    version: each.version,
    ...(each.hash ? { hashes: [{ alg: each.hash.algorithm, content: each.hash.hex }] } : {}),
    licenses: [{ expression: each.licence }],
    ...(ours ? {} : { purl: addresses[each.kind](each) }),
    ...(each.source?.startsWith('https://')
      ? { externalReferences: [{ type: 'vcs', url: each.source }] }
      : each.source
        ? { description: `from ${each.source}` }
        : {}),
  };
}

/** @param {Package} each */
const reference = (each) => `${each.kind}:${key(each)}`;

/** A number in the form of a UUID (version 8: of our own making). @param {string} text */
function uuid(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}

/**
 * @param {Package[]} packages
 * @param {{ version: string, build: string }} site
 */
export function billOfMaterials(packages, { version, build }) {
  const ids = new Map(
    packages.filter(({ kind }) => kind === 'cargo').map((each) => [key(each), reference(each)]),
  );
  const root = `pincite@${version}`;
  const top = packages.filter(
    (each) => !packages.some(({ needs }) => each.kind === 'cargo' && needs.includes(key(each))),
  );
  const content = {
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': root,
        name: 'pincite',
        version,
        licenses: [{ expression: 'MIT OR Apache-2.0' }],
        properties: [{ name: 'pincite:build', value: build }],
      },
    },
    components: packages.map(component),
    dependencies: [
      { ref: root, dependsOn: top.map(reference) },
      ...packages.map((each) => ({
        ref: reference(each),
        ...(each.needs.length > 0 ? { dependsOn: each.needs.map((id) => ids.get(id) ?? id) } : {}),
      })),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: uuid(JSON.stringify(content)),
    version: 1,
    ...content,
  };
}
