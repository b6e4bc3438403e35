import AudioGraph
import Synchronization

/// Actions of a player on a command, and at the end of a fade.
extension PlayerState {
  @_noLocks
  mutating func obey() {
    if let event = owed, events.push(event) { owed = nil }
    while let command = commands.pop() {
      switch command {
      case .start(let generation, let position, let fadesIn):
        start(generation, at: position, fadesIn ? .playFadedIn : .play)
      case .seek(let generation):
        // A player that a command stops ends, even if a seek follows.
        if case .idle = phase { continue }
        if isEnding { continue }
        if case .paused = phase {
          adopt(generation)
          leaveBlock()
          level = 0
        } else if case .pause = sequel {
          // On its way to a pause: the player fades out the present sound, and waits at the new position.
          keepTail()
          adopt(generation)
        } else {
          let wasHeard = hasStarted && level > 0
          if wasHeard { keepTail() }
          play(generation, after: wasHeard, .playFadedIn)
        }
      case .pause:
        guard isAudible, !isEnding else { continue }
        if hasStarted || hasTail {
          fadeOut(.pause)
        } else {
          phase = .paused
          emit(.paused)
        }
      case .resume: resume()
      case .stop: stop()
      }
    }
  }

  private var isEnding: Bool {
    @_noLocks get {
      if case .stop = sequel { return true }
      return false
    }
  }

  /// Starts a generation; a sound that plays already ends.
  @_noLocks
  private mutating func start(_ generation: UInt32, at position: Int, _ sequel: Sequel) {
    let wasHeard = isAudible && hasStarted && level > 0
    if wasHeard { keepTail() }
    if case .idle = phase {} else { emit(.stopped) }
    startPosition = position
    hasStarted = false
    play(generation, after: wasHeard, sequel)
  }

  /// Plays the blocks of another generation, after a fade-out if the player was heard.
  @_noLocks
  private mutating func play(_ generation: UInt32, after wasHeard: Bool, _ sequel: Sequel) {
    adopt(generation)
    leaveBlock()
    phase = .playing
    if wasHeard, hasTail {
      fadeOut(sequel)
    } else {
      begin(sequel)
    }
  }

  @_noLocks
  private mutating func resume() {
    if case .paused = phase {
      phase = .playing
      direction = 1
      emit(.resumed)
    } else if case .pause = sequel {
      if fadesTail {
        sequel = .playFadedIn
      } else {
        sequel = .none
        direction = 1
      }
      emit(.paused)
      emit(.resumed)
    }
  }

  @_noLocks
  private mutating func stop() {
    switch phase {
    case .idle: return
    case .paused: end(.stopped)
    case .playing:
      // As in `resume`: the sender of a pause gets its event.
      if case .pause = sequel { emit(.paused) }
      guard hasStarted, level > 0 else { return end(.stopped) }
      keepTail()
      guard hasTail else { return end(.stopped) }
      fadeOut(.stop)
    }
  }

  @_noLocks
  private mutating func fadeOut(_ sequel: Sequel) {
    self.sequel = sequel
    direction = -1
  }

  /// Performs the sequel of a fade-out that is over.
  @_noLocks
  mutating func conclude() {
    direction = 0
    switch sequel {
    case .none: break
    case .pause:
      phase = .paused
      level = 0
      fadesTail = false
      emit(.paused)
    case .stop: end(.stopped)
    case .play, .playFadedIn: begin(sequel)
    }
    sequel = .none
  }

  @_noLocks
  mutating func forgetTail() {
    tailBegin = 0
    tailEnd = 0
    fadesTail = false
  }

  @_noLocks
  private mutating func begin(_ sequel: Sequel) {
    forgetTail()
    if case .playFadedIn = sequel {
      level = 0
      direction = 1
    } else {
      level = fadeLength
      direction = 0
    }
  }

  @_noLocks
  mutating func end(_ kind: PlayerEvent.Kind) {
    emit(kind)
    endedAt = now
    phase = .idle
    direction = 0
    level = fadeLength
    sequel = .none
    forgetTail()
    // Blocks still on their way are older than the next start.
    generation &+= 1
    leaveBlock()
  }

  @_noLocks
  private mutating func adopt(_ generation: UInt32) {
    self.generation = generation
    passes = 0
  }

  /// Counts a pass that has ended, and reports it once a tick; the sound begins again.
  @_noLocks
  mutating func endPass() {
    passes &+= 1
    gauges.pointee.passes.store(UInt64(generation) << 32 | UInt64(passes), ordering: .relaxed)
    guard !hasToldPass else { return }
    hasToldPass = true
    emit(.passEnded)
  }

  @_noLocks
  mutating func emit(_ kind: PlayerEvent.Kind) {
    hasNews = true
    let event = PlayerEvent(kind: kind, position: now, generation: generation)
    guard !events.push(event) else { return }
    // The report of a repetition may be lost; without the report of an end, the sound would stay in the graph.
    if case .passEnded = kind { return }
    owed = event
  }
}
