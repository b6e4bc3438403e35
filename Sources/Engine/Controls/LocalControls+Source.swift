public import AudioGraph

/// The source of the local voice, while the pipeline runs or before.
extension LocalControls {
  /// Puts another source in the place of the present one. Settings, music and effects of the voice stay, and it is sent
  /// as before. The change is one crossfaded frame.
  ///
  /// A mono source in the place of a stereo one is sent as stereo.
  ///
  /// - Throws: `.invalidArgument` if its format does not fit; then the present source stays.
  public func replaceSource(with source: any AudioSource) throws(EngineError) {
    try pipeline.edit("the local source cannot be replaced", call: "local.replaceSource") {
      try pipeline.core.checkNotFinished()
      try pipeline.userStates.replaceLocalSource(with: source)
    }
  }

  /// Makes a source and puts it in the place of the present one.
  ///
  /// ```swift
  /// try pipeline.local.replaceSource(with: .file("announcement.wav"))
  /// ```
  /// - Returns: The created source.
  /// - Throws: As for a custom source; an error of the source is its `cause`.
  @discardableResult
  public func replaceSource<Description: AudioSourceDescription>(
    with description: Description
  ) throws(EngineError) -> Description.Source {
    let source = try pipeline.made(description, uid: 0) { _ = try pipeline.userStates.localUser() }
    try replaceSource(with: source)
    return source
  }

  /// Removes the local voice, and the music and effects that are sent with it; its last frame is faded out.
  ///
  /// Senders and recordings of the voice stay, and continue with the next source.
  public func remove() throws(EngineError) {
    try pipeline.edit("the local source cannot be removed", call: "local.remove") {
      _ = try pipeline.userStates.localUser()
      try pipeline.sounds.remove(with: .publishedByLocalUser)
      try pipeline.userStates.removeLocal()
    }
  }
}
