import Effects

extension AudioPipeline {
  /// Arms limiters if the graph can raise the level, before it does.
  ///
  /// Once heard, an armed limiter stays armed: the gain may still be decreasing, or a user that leaves still fading.
  func updateArming() {
    for key in userStates.order {
      let isHere = key.channelID == options.channelID
      arm(userStates.remote[key]?.uplink, hasMusic: isHere && sounds.hasMusic(.published(speaker: key.uid)))
    }
    arm(userStates.local?.uplink, hasMusic: sounds.hasMusic(.publishedByLocalUser))
    let listener = core.listener
    let heard = userStates.remote.values.filter(\.isHeard)
    arm(
      listener.playbackLimiter,
      if: heard.count > 1 || heard.contains(where: \.raisesLevel) || listener.playbackGain.linearGain > 1)
    arm(
      listener.mixedLimiter,
      if: userStates.local?.uplink != nil || sounds.hasMusic(.loopback) || sounds.hasMusic(.publishedByLocalUser))
    if let limiter = playout.limiter { arm(limiter, if: playout.raisesLevel) }
  }

  private func arm(_ uplink: Uplink?, hasMusic: Bool) {
    guard let uplink else { return }
    arm(uplink.limiter, if: uplink.raisesLevel || hasMusic)
  }

  private func arm(_ limiter: LimiterNode, if raisesLevel: Bool) {
    limiter.isArmed = raisesLevel || (core.run.isInstalled && limiter.isArmed)
  }
}
