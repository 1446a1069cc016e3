"""Programs that the engine must differentiate; importing this package does not import them."""
