# SPDX-License-Identifier: Apache-2.0
"""Coverage: the lists of `spec/coverage.yaml`, stored runs merged, and the report that the testplan is checked against.

The bins themselves, and what hits them, are in `verif/coverage`; a stored run carries all of its bins.
"""
