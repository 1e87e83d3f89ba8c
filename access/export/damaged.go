package export

import (
	"quire/holdings"
	"quire/model"
	"quire/repository/catalogue"
)

// damagedText is what readers learn of a container with errors.
const damagedText = "the validation of a container found errors: a record that cannot be read has no capture, and is " +
	"not in the export"

// damaged lists the containers whose validation found errors, as far as the reader knows captures of them: records
// that cannot be read have no capture, so nothing else would say that they are not in the export.
func (s *Source) damaged(known map[string]bool) error {
	facts := s.holdings.Facts(s.ID())
	if facts == nil {
		return nil
	}
	for _, c := range s.Containers() {
		of := facts.Containers[c.Path]
		if of == nil || !s.shared.has(c.Path) || !known[c.Path] && s.Who.Class != holdings.Staff {
			continue
		}
		for _, e := range of.Events {
			if e.Type != string(model.Validation) || e.Outcome != string(model.Fail) {
				continue
			}
			if err := s.kept.add(s.damagedItem(&c)); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

func (s *Source) damagedItem(c *catalogue.File) Withheld {
	item := Withheld{Reason: Damaged, Message: damagedText, Why: "quire inspect " + c.Path + " lists the errors"}
	if s.Who.Class == holdings.Staff {
		item.Path = c.Path // for others, the name of a container may be a secret
	}
	return item
}
