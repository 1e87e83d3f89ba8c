package extract

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"quire/format/exif"
)

func isPicture(head []byte) bool {
	for _, mark := range []string{"\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "GIF8", "II*\x00", "MM\x00*"} {
		if bytes.HasPrefix(head, []byte(mark)) {
			return true
		}
	}
	return len(head) >= 12 && (string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP" ||
		string(head[4:8]) == "ftyp" &&
			(string(head[8:11]) == "hei" || string(head[8:11]) == "avi" || string(head[8:12]) == "mif1"))
}

// imageDetails lists the EXIF fields that are read, with their names. If several fields have the
// same name, the first field present is used.
var imageDetails = []struct{ field, name string }{
	{"XPTitle", "title"}, {"ImageDescription", "description"}, {"XPSubject", "description"},
	{"XPComment", "description"}, {"UserComment", "description"},
	{"XPKeywords", "keywords"}, {"Artist", "author"}, {"XPAuthor", "author"}, {"Copyright", "copyright"},
	{"DateTimeOriginal", "created"}, {"DateTime", "created"},
	{"Make", "camera"}, {"Model", "camera"},
}

func (t *Text) image(c Content) error {
	f, err := exif.Read(c.In, c.Size)
	if errors.Is(err, exif.ErrUnknown) { // GIF
		return nil
	}
	if err != nil {
		return err
	}
	found := map[string]string{}
	for _, d := range imageDetails {
		for _, field := range f.Fields {
			value := strings.TrimSpace(field.Value)
			if field.Name != d.field || value == "" || field.Directory == "IFD1" || strings.HasPrefix(value, "(") &&
				strings.HasSuffix(value, " bytes)") {
				continue
			}
			switch {
			case found[d.name] == "":
				found[d.name] = value
			// the model often includes the maker
			case d.name == "camera" && !strings.HasPrefix(value, found[d.name]):
				found[d.name] += " " + value
			case d.name == "camera":
				found[d.name] = value
			}
			break
		}
	}
	t.Title, t.Description = found["title"], found["description"]
	for _, name := range []string{"author", "created", "camera", "keywords", "copyright"} {
		t.detail(name, found[name])
	}
	if f.Position != nil {
		t.detail("position", fmt.Sprintf("%.5f, %.5f", f.Position.Latitude, f.Position.Longitude))
	}
	return nil
}
