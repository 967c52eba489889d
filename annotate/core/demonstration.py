"""The owner of the demonstration's studies, and the seed that identifies them."""

OWNER = "demo@accord.example"  # nobody can receive e-mails at this address, so nobody else can confirm it
SEED = 2022  # the same studies and the same simulated answers each time
