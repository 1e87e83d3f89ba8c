package builtin

import "testing"

// tiny is a TIFF with one directory of two fields.
const tiny = "II*\x00\x08\x00\x00\x00\x02\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x34\x12\x02\x00" +
	"\x03\x00\x00\x00hi\x00\x00\x00\x00\x00\x00"

func TestEXIF(t *testing.T) {
	const want = `{
 "container": "TIFF",
 "byte_order": "little-endian",
 "fields": [
  {
   "directory": "IFD0",
   "tag": "0x0112",
   "name": "Orientation",
   "type": "short",
   "count": 1,
   "value": "6"
  },
  {
   "directory": "IFD0",
   "tag": "0x1234",
   "type": "ascii",
   "count": 3,
   "value": "hi"
  }
 ],
 "xmp_bytes": 0,
 "iptc_bytes": 0
}
`
	if got := run(t, "exif", nil, content([]byte(tiny), "image/tiff")); got != want {
		t.Errorf("%s", got)
	}
	const lines = "File\tContainer\tTIFF\nIFD0\tOrientation\t6\nIFD0\t0x1234\thi\nFile\tXMP\t0 bytes\nFile\tIPTC\t0 " +
		"bytes\n"
	if got := run(t, "exif", map[string]string{"output": "text"}, content([]byte(tiny), "image/tiff")); got != lines {
		t.Errorf("%q", got)
	}
	if got := fails(t, "exif", content([]byte(onePixel),
		"image/jpeg")); got != "not a JPEG, TIFF, PNG, WebP or HEIF: begins with "+
		"\"GIF89a\\x01\\x00\\x01\\x00\\x80\\x00\\x00\\x00\\x00\\x00\"\n" {
		t.Errorf("%q", got)
	}
}
