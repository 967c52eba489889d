"""The owner of the demonstration's studies."""

OWNER = "demo@accord.example"  # nobody can receive e-mails at this address, so nobody else can confirm it
