public import AudioGraph

extension JitterBufferStatistics {
  /// The same as a ledger; it balances after every frame. What is made up enters it when it is heard.
  public var ledger: Ledger {
    var ledger = Ledger()
    ledger.input = decodedSamples
    ledger.output = totalSamplesReceived
    ledger.held = heldSamples
    ledger.dropped = droppedSamples
    ledger.inserted[.concealment] = concealedSamples
    ledger.inserted[.stretch] = insertedSamplesForDeceleration
    ledger.inserted[.drift] = insertedSamplesForDrift
    ledger.inserted[.underrun] = idleSamples + comfortNoiseSamples
    ledger.removed[.concealment] = supersededSamples
    ledger.removed[.stretch] = removedSamplesForAcceleration
    ledger.removed[.drift] = removedSamplesForDrift
    return ledger
  }
}
