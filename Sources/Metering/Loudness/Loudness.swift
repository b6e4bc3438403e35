public import Platform

/// Loudness of a file, by the measures of broadcasters.
public struct Loudness: Hashable, Sendable {
  /// The loudness at one moment.
  public struct Moment: Hashable, Sendable, BitwiseCopyable {
    /// The end of the windows, in seconds.
    public let timeSeconds: Double
    /// Loudness of the 400 ms before, in LUFS; silence precedes the file. Nil for silence.
    public let momentary: Double?
    /// Loudness of the 3 s before, in LUFS; silence precedes the file. Nil for silence.
    public let shortTerm: Double?

    package init(timeSeconds: Double, momentary: Double?, shortTerm: Double?) {
      self.timeSeconds = timeSeconds
      self.momentary = momentary
      self.shortTerm = shortTerm
    }
  }

  /// Loudness over time, a row for each interval.
  public let moments: SpooledRows<Moment>
  /// Gated loudness of the whole file, in LUFS; nil for silence, and for less than 400 ms of sound.
  public let integrated: Double?
  /// Loudness range, in LU; nil for less than 3 s of sound.
  public let range: Double?
  /// Largest true peak, in dBTP; nil for silence.
  public let truePeak: Double?

  package init(moments: SpooledRows<Moment>, integrated: Double?, range: Double?, truePeak: Double?) {
    self.moments = moments
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
  }
}
