import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { SettingChanges } from './link-settings.ts';
import { SettingFields } from './setting-fields.tsx';

function Form() {
  const [settings, setSettings] = useState<SettingChanges>({});
  return (
    <>
      <SettingFields
        place="access"
        settings={settings}
        onSetting={(name, value) => setSettings({ ...settings, [name]: value })}
      />
      <output>{JSON.stringify(settings)}</output>
    </>
  );
}

const OPEN = 'Redirect even when clicks can’t be counted';
const settingsOf = (): unknown => JSON.parse(screen.getByRole('status').textContent ?? '');

it('a click limit is a number, and only with one the form asks what else may happen', async () => {
  render(<Form />);
  expect(screen.queryByLabelText(OPEN, { exact: false })).toBeNull();
  const field = await screen.findByLabelText('Click limit (optional)');
  fireEvent.change(field, { target: { value: '10' } });
  expect(settingsOf()).toEqual({ clickLimit: 10 });
  const description = 'Otherwise visitors are asked to try again.';
  fireEvent.click(screen.getByRole('checkbox', { name: OPEN, description }));
  expect(settingsOf()).toEqual({ clickLimit: 10, clickLimitOpen: true });
  fireEvent.change(field, { target: { value: '' } });
  expect(settingsOf()).toEqual({ clickLimitOpen: true });
});
