package export

import (
	"context"
	"slices"

	"quire/holdings"
	"quire/holdings/facts"
	"quire/model"
	"quire/repository/catalogue"
)

// damagedText is what readers learn of a container with errors.
const damagedText = "the validation of a container found errors: records that cannot be read have no capture, so " +
	"some may be missing here"

// damaged lists the containers whose validation found errors, as far as the reader knows captures of them: records
// that cannot be read have no capture, so nothing else would say that they are not in the export. The others are for
// the event, which only curators read.
func (s *Source) damaged(ctx context.Context, known map[string]bool) error {
	stated := s.holdings.Facts(ctx, s.ID())
	if stated == nil {
		return nil
	}
	for _, c := range s.Containers() {
		of := stated.Containers[c.Path]
		if of == nil || !s.shared.has(c.Path) || !slices.ContainsFunc(of.Events, failedValidation) {
			continue
		}
		if s.broken++; !known[c.Path] && s.Who.Class != holdings.Staff {
			continue
		}
		if err := s.kept.add(s.damagedItem(&c)); err != nil {
			return err
		}
	}
	return nil
}

func failedValidation(e facts.Event) bool {
	return e.Type == string(model.Validation) && e.Outcome == string(model.Fail)
}

func (s *Source) damagedItem(c *catalogue.File) Withheld {
	item := Withheld{Reason: Damaged, Message: damagedText, Why: "its validation in the METS lists them"}
	if s.Who.Class == holdings.Staff {
		item.Path = c.Path // for others, the name of a container may be a secret
	}
	return item
}
