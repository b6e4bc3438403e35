public import Platform

extension AudioPipeline {
  /// The version of this package.
  public static let sdkVersion = "0.1.0"

  /// Appends a line to a file for each call that changes the pipeline, for problems, and for events. Off at first.
  ///
  /// - Parameter path: UTF-8; its folder must exist. nil: no log any more.
  /// - Throws: `.invalidArgument` if the file cannot be opened.
  public func setLogFile(_ path: String?) throws(EngineError) {
    try core.log.setFile(path: path)
    core.log.write(.info, "audiopipe \(Self.sdkVersion), \(options.sampleRate) Hz, \(options.channelCount) channels")
  }

  /// Sets the levels that come into the log: `.info` at first.
  public func setLogFilter(_ filter: LogFilter) { core.log.setFilter(filter) }
}
