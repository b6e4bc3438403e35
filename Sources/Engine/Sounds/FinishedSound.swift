/// An ended sound; its last samples may still be on the path to the listener.
struct FinishedSound {
  let track: MusicTrack
  /// Samples of the pipeline's time that had been rendered when the end was noticed.
  let position: Int
}
