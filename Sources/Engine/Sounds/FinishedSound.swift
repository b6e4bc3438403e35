/// A sound that has ended and whose last samples may still be on their way to the listener.
struct FinishedSound {
  let track: MusicTrack
  /// Samples of the pipeline's time that had been rendered when that was seen.
  let position: Int
}
