/// State of the music of `startAudioMixing`, with the numbers that programs know.
public enum MusicState: Int, Hashable, Sendable {
  /// It plays.
  case playing = 710
  /// It waits to be resumed.
  case paused = 711
  /// It has ended.
  case stopped = 713
  /// It failed to start or to play to its end.
  case failed = 714
}

/// Reason for a state of the music.
public enum MusicReason: Int, Hashable, Sendable {
  /// The file cannot be opened.
  case cannotOpen = 701
  /// Started again within 500 ms of the last start.
  case tooFrequent = 702
  /// The file could not be read to its end, or the voice that it went with has left.
  case interrupted = 703
  /// A program has started it; reported with the first sample that is heard.
  case startedByUser = 720
  /// It has been played once, and begins again. The first of several times within 10 ms is reported.
  case loopCompleted = 721
  /// The next pass has begun.
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
