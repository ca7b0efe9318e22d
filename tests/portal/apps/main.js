/**
 * The page of an app that uses the package: the element is in the markup, this defines it.
 */

import 'pincite';
