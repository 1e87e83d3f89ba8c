# Lists the records of a provider with HTTP::OAI: identifier and status, one record a line.
#   perl list.pl BASEURL PREFIX
use strict;
use warnings;
use HTTP::OAI;

my ($base, $prefix) = @ARGV;
my $harvester = HTTP::OAI::Harvester->new(baseURL => $base);
my $answer = $harvester->ListRecords(
    metadataPrefix => $prefix,
    onRecord       => sub {
        my $record = shift;
        print join("\t", $record->identifier, $record->is_deleted ? "deleted" : "live"), "\n";
    },
);
die $answer->message . "\n" if $answer->is_error;
