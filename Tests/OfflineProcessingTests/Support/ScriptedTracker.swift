import OfflineProcessing

/// Gives the pitches of a list, one for each frame, half a frame behind the frame's start; 0 Hz behind the list's end.
final class ScriptedTracker: PitchTracking {
  private var pitches: ArraySlice<Float>
  private var count = 0

  init(_ pitches: [Float]) { self.pitches = pitches[...] }

  func process(_ samples: UnsafePointer<Float>, samplesPerChannel: Int) -> PitchRow? {
    count += 1
    return PitchRow(seconds: 0.01 * Double(count) - 0.005, hertz: pitches.popFirst() ?? 0, voicing: 0.5)
  }

  func finish() -> PitchRow? { nil }
}
