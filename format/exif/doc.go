// Package exif reads the fields of EXIF (CIPA DC-008, Exif 3.0) in JPEG, TIFF, PNG (eXIf), WebP and
// HEIF, and the number of bytes of XMP and IPTC beside them.
//
// Only fields are decoded. Pixels and thumbnails are not; of a maker note only the length is
// returned. Fields beyond the bounds are counted in Facts.LeftOut; facts.go lists the bounds.
// Damage is listed in Facts.Warnings, and the fields before it are returned. Of most pictures only
// a few kilobytes are read.
package exif
