# SPDX-License-Identifier: Apache-2.0
"""Instructions as words, images and text: encoding, program images, assembler and disassembler."""
