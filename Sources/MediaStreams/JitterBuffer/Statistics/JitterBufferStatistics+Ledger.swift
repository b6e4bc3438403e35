public import AudioGraph

extension JitterBufferStatistics {
  /// Ledger of the samples; it balances after every frame. Concealed samples enter it when they are played.
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
