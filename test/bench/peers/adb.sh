#!/bin/bash
# What a lab's own script asks, through the adb command: each phone's properties, battery, storage, screen and name.
export ANDROID_ADB_SERVER_PORT=$BENCH_ADB_PORT
phones=0
while read -r serial _; do
  for question in getprop 'dumpsys battery' 'df /data' 'wm size' 'settings get global device_name'; do
    # shellcheck disable=SC2086
    adb -s "$serial" shell $question </dev/null
  done
  phones=$((phones + 1))
done < <(adb devices | tail -n +2 | grep -w device)
echo "$phones"
