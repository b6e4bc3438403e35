print("audiopipe")
