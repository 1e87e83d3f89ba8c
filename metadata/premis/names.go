package premis

// identifierNames are the element names of one kind of identifier. PREMIS has a dozen kinds that
// differ only in their names. The full names are constants, which cost nothing when a million
// identifiers are written.
type identifierNames struct {
	outer, kind, value string
	extra              string // element after the value: a role or a sequence number
	ref                string // attribute with the XML ID of the target
}

var (
	objectIdentifier = identifierNames{outer: "premis:objectIdentifier", kind: "premis:objectIdentifierType",
		value: "premis:objectIdentifierValue"}
	eventIdentifier = identifierNames{outer: "premis:eventIdentifier", kind: "premis:eventIdentifierType",
		value: "premis:eventIdentifierValue"}
	agentIdentifier = identifierNames{outer: "premis:agentIdentifier", kind: "premis:agentIdentifierType",
		value: "premis:agentIdentifierValue"}
	statementIdentifier = identifierNames{outer: "premis:rightsStatementIdentifier",
		kind: "premis:rightsStatementIdentifierType", value: "premis:rightsStatementIdentifierValue"}
	contentLocation = identifierNames{outer: "premis:contentLocation", kind: "premis:contentLocationType",
		value: "premis:contentLocationValue"}

	linkingAgent = identifierNames{"premis:linkingAgentIdentifier", "premis:linkingAgentIdentifierType",
		"premis:linkingAgentIdentifierValue", "premis:linkingAgentRole", "LinkAgentXmlID"}
	linkingObject = identifierNames{"premis:linkingObjectIdentifier", "premis:linkingObjectIdentifierType",
		"premis:linkingObjectIdentifierValue", "premis:linkingObjectRole", "LinkObjectXmlID"}
	linkingEvent = identifierNames{"premis:linkingEventIdentifier", "premis:linkingEventIdentifierType",
		"premis:linkingEventIdentifierValue", "", "LinkEventXmlID"}
	linkingRights = identifierNames{"premis:linkingRightsStatementIdentifier",
		"premis:linkingRightsStatementIdentifierType", "premis:linkingRightsStatementIdentifierValue", "",
		"LinkPermissionStatementXmlID"}

	relatedObject = identifierNames{"premis:relatedObjectIdentifier", "premis:relatedObjectIdentifierType",
		"premis:relatedObjectIdentifierValue", "premis:relatedObjectSequence", "RelObjectXmlID"}
	relatedEvent = identifierNames{"premis:relatedEventIdentifier", "premis:relatedEventIdentifierType",
		"premis:relatedEventIdentifierValue", "premis:relatedEventSequence", "RelEventXmlID"}

	// Only in PREMIS 2.
	relatedObject2 = identifierNames{"premis:relatedObjectIdentification", relatedObject.kind, relatedObject.value,
		relatedObject.extra, relatedObject.ref}
	relatedEvent2 = identifierNames{"premis:relatedEventIdentification", relatedEvent.kind, relatedEvent.value,
		relatedEvent.extra, relatedEvent.ref}
	linkingEntity = identifierNames{outer: "premis:linkingIntellectualEntityIdentifier",
		kind:  "premis:linkingIntellectualEntityIdentifierType",
		value: "premis:linkingIntellectualEntityIdentifierValue"}
	licenseIdentifier = identifierNames{outer: "premis:licenseIdentifier", kind: "premis:licenseIdentifierType",
		value: "premis:licenseIdentifierValue"}

	copyrightDocument = identifierNames{outer: "premis:copyrightDocumentationIdentifier",
		kind: "premis:copyrightDocumentationIdentifierType", value: "premis:copyrightDocumentationIdentifierValue",
		extra: "premis:copyrightDocumentationRole"}
	licenseDocument = identifierNames{outer: "premis:licenseDocumentationIdentifier",
		kind: "premis:licenseDocumentationIdentifierType", value: "premis:licenseDocumentationIdentifierValue",
		extra: "premis:licenseDocumentationRole"}
	statuteDocument = identifierNames{outer: "premis:statuteDocumentationIdentifier",
		kind: "premis:statuteDocumentationIdentifierType", value: "premis:statuteDocumentationIdentifierValue",
		extra: "premis:statuteDocumentationRole"}
	otherRightsDocument = identifierNames{outer: "premis:otherRightsDocumentationIdentifier",
		kind: "premis:otherRightsDocumentationIdentifierType", value: "premis:otherRightsDocumentationIdentifierValue",
		extra: "premis:otherRightsDocumentationRole"}
)
