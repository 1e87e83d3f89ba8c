// Package exif reads what cameras and programs wrote into pictures: the fields of EXIF (CIPA DC-008, Exif 3.0) in JPEG, TIFF, PNG (eXIf),
// WebP and HEIF; and it says whether there is XMP or IPTC beside them.
//
//	facts, err := exif.Read(file, size)
//	for _, f := range facts.Fields {
//		fmt.Println(f.Directory, f.Name, f.Value) // IFD0 Make Canon
//	}
//
// Nothing is decoded but the fields: no pixels, no thumbnails, no maker notes, of which only the length is told. What is beyond the bounds
// of limits.go is counted, and what is damaged is told in Warnings; what stands before it is given all the same. A few kilobytes are read
// of most pictures, whatever their size.
package exif
