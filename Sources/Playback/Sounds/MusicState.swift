/// What the music of `startAudioMixing` does, with the numbers that programs know.
public enum MusicState: Int, Hashable, Sendable {
  /// It plays.
  case playing = 710
  /// It waits to be resumed.
  case paused = 711
  /// It has ended.
  case stopped = 713
  /// It could not be begun, or not be played to its end.
  case failed = 714
}

/// Why the music does what it does.
public enum MusicReason: Int, Hashable, Sendable {
  /// The file cannot be opened.
  case cannotOpen = 701
  /// Started again within 500 ms of the last start.
  case tooFrequent = 702
  /// The file could not be read to its end, or the voice that it went with has left.
  case interrupted = 703
  /// A program has started it; told with the first sample that is heard.
  case startedByUser = 720
  /// It has been played once, and begins again. Of several times within 10 ms the first is told.
  case loopCompleted = 721
  /// It has begun again.
  case newLoop = 722
  /// It has been played as often as was asked for.
  case allLoopsCompleted = 723
  /// A program has stopped it.
  case stoppedByUser = 724
  /// A program has paused it.
  case pausedByUser = 725
  /// A program has resumed it.
  case resumedByUser = 726
}
